import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider, type RouterProviderProps } from "react-router-dom";
import { AuthProvider } from "../auth/session.tsx";
import { AboveDialogs } from "../ui/above-dialogs.tsx";
import { ReconnectBanner } from "./reconnect-banner.tsx";
import type { Services } from "./router.tsx";

type Props = { services: Services; router: RouterProviderProps["router"] };

/** The whole app with its services. */
export function App({ services: { queryClient, session }, router }: Props) {
  return (
    <AuthProvider session={session}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        {/* Outside the router, so that it stays even if a page fails. */}
        <AboveDialogs>
          <ReconnectBanner />
        </AboveDialogs>
      </QueryClientProvider>
    </AuthProvider>
  );
}
