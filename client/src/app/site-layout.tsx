import { Footer } from "./footer.tsx";
import { MainArea } from "./main-area.tsx";
import { TopBar } from "./top-bar.tsx";

/** The shared layout of the public pages (SPEC section 2). */
export function SiteLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar />
      <MainArea className="min-h-[calc(100dvh-4rem)] grow" />
      <Footer />
    </div>
  );
}
