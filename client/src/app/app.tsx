import { RouterProvider, type RouterProviderProps } from "react-router-dom";
import { AuthProvider } from "../auth/session.tsx";
import { ApiProvider } from "../lib/api-context.tsx";
import { AboveDialogs } from "../ui/above-dialogs.tsx";
import { ReconnectBanner } from "./reconnect-banner.tsx";
import type { Services } from "./router.tsx";

type Props = { services: Services; router: RouterProviderProps["router"] };

/** The whole app with its services. */
export function App({ services: { api, queryClient, session }, router }: Props) {
  return (
    <AuthProvider session={session}>
      <ApiProvider api={api} queryClient={queryClient}>
        <RouterProvider router={router} />
        {/* Outside the router, so that it stays even if a page fails. */}
        <AboveDialogs>
          <ReconnectBanner />
        </AboveDialogs>
      </ApiProvider>
    </AuthProvider>
  );
}
