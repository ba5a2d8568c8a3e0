import { Footer } from "./footer.tsx";
import { MainArea } from "./main-area.tsx";
import { TopBar } from "./top-bar.tsx";

/** The shared layout of the public pages. */
export function SiteLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar inside="page" />
      <MainArea className="min-h-[calc(100dvh-4rem)] grow" />
      <Footer />
    </div>
  );
}
