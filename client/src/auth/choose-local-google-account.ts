import { loadPopup } from "../ui/confirm.ts";

const FIELDS = `<div class="tl-popup-form">
  <p>This is a local installation, so the Firebase Auth emulator plays Google. Choose any account.</p>
  <label>Name<input name="name" class="input w-full" value="Gina Google" autocomplete="off"></label>
  <label>Google email
    <input name="email" type="email" class="input w-full" value="gina.google@gmail.example" autocomplete="off">
  </label></div>`;

/** Replaces Google's popup when the Auth emulator is used: asks which account to log in with. */
export async function chooseLocalGoogleAccount(): Promise<{ email: string; name: string } | null> {
  const Popup = await loadPopup();
  if (!Popup) return null;
  const input = (name: string) => Popup.getPopup()?.querySelector<HTMLInputElement>(`[name="${name}"]`);
  const { value } = await Popup.fire<{ email: string; name: string }>({
    title: "Login with Google",
    html: FIELDS,
    showCancelButton: true,
    reverseButtons: true,
    confirmButtonText: "Continue",
    focusConfirm: false,
    didOpen: () => input("name")?.focus(),
    preConfirm: () => {
      const [name = "", email = ""] = [input("name")?.value.trim(), input("email")?.value.trim()];
      if (name && email && input("email")?.checkValidity()) return { name, email };
      Popup.showValidationMessage("Enter a name and an email address.");
      return false;
    },
  });
  return value ?? null;
}
