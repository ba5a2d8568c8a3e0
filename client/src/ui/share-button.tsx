import { Share2 } from "lucide-react";
import { notify } from "./notify.tsx";

/** Shares a page of this app with the device's share dialog, or copies its URL if there is none. */
export function ShareButton({ title, path }: { title: string; path: string }) {
  const share = async () => {
    const url = new URL(path, window.location.origin).href;
    try {
      if (typeof navigator.share === "function") return await navigator.share({ title, url });
    } catch (error) {
      // The person cancelled.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
    await copy(url);
  };
  return (
    <button type="button" className="btn btn-ghost btn-sm" onClick={() => void share()}>
      <Share2 className="size-5 text-base-content/70" />
      Share
    </button>
  );
}

/** Copies the URL, or shows it: the clipboard may be blocked, and is missing over plain HTTP. */
async function copy(url: string): Promise<void> {
  const topic = "share";
  try {
    await navigator.clipboard.writeText(url);
    notify.success("The link is copied.", { topic });
  } catch {
    const text = (
      <>
        Copy this link: <span className="wrap-anywhere select-all">{url}</span>
      </>
    );
    notify.info(text, { topic, autoClose: false });
  }
}
