import { Share2 } from "lucide-react";
import { notify } from "./notify.tsx";

type Props = { title: string /** Path of the page in this app. */; path: string };

/** Hands a page's address to the device's own sharing, or copies it where there is none, and says so. */
export function ShareButton({ title, path }: Props) {
  const share = async () => {
    const url = new URL(path, window.location.origin).href;
    try {
      if (typeof navigator.share === "function") return await navigator.share({ title, url });
    } catch (error) {
      // They closed it.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
    await copy(url);
  };
  return (
    <button type="button" className="btn btn-ghost btn-sm" onClick={() => void share()}>
      <Share2 aria-hidden="true" className="size-5 text-base-content/70" />
      Share
    </button>
  );
}

/** The clipboard may be forbidden, and is missing where the page came over plain HTTP. */
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
