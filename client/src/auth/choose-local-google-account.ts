import { ask } from "../ui/ask.ts";

/** Stands in for Google's own window where the Auth emulator runs: asks which account to sign in with. */
export async function chooseLocalGoogleAccount(): Promise<{ email: string; name: string } | null> {
  const answers = await ask(
    "Login with Google",
    "This is a local installation, so Google is played by the Firebase Auth emulator. Choose any account.",
    [
      { name: "name", label: "Name", type: "text", value: "Gina Google", error: "Enter a name." },
      {
        name: "email",
        label: "Google email",
        type: "email",
        value: "gina.google@gmail.example",
        error: "Enter an email address.",
      },
    ],
    "Continue",
  );
  return answers && { email: answers["email"] ?? "", name: answers["name"] ?? "" };
}
