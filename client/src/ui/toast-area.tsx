import { lazy, Suspense, useEffect, useState } from "react";

const Container = lazy(() => import("./toast-container.tsx").then((module) => ({ default: module.Toasts })));

/** Where toasts appear. Loaded after the page is shown: a toast never comes first. */
export function ToastArea() {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  if (!ready) return null;
  return (
    <Suspense>
      <Container />
    </Suspense>
  );
}
