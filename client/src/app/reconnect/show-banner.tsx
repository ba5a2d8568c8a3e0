import { createRoot } from "react-dom/client";
import { ReconnectBanner } from "./banner.tsx";

/** Puts the banner beside the app: it is there whatever becomes of the page, and costs the first page nothing. */
export function showReconnectBanner(apiOrigin: string): void {
  const place = document.createElement("div");
  document.body.append(place);
  createRoot(place).render(<ReconnectBanner readyUrl={`${apiOrigin}/ready`} />);
}
