import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router-dom";
import * as z from "zod/mini";
import { createRouter } from "./app/router.tsx";
import { AuthProvider } from "./auth/auth-context.tsx";
import type { AuthGateway } from "./auth/auth-gateway.ts";
import { createSession } from "./auth/session.ts";
import { createApi } from "./lib/api.ts";
import { apiOrigin, firebaseSettings } from "./lib/env.ts";
import { showTheme, storedTheme } from "./lib/theme.ts";
import "./styles.css";

// zod compiles its schemas with `new Function`, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

showTheme(storedTheme());

const session = createSession(loadGateway);
const api = createApi({ origin: apiOrigin, getToken: session.getToken });
const router = createRouter({ api, session });

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root.");
createRoot(root).render(
  <StrictMode>
    <AuthProvider session={session}>
      <RouterProvider router={router} />
    </AuthProvider>
  </StrictMode>,
);

async function loadGateway(): Promise<AuthGateway> {
  const { createFirebaseAuthGateway } = await import("./auth/firebase-auth-gateway.ts");
  const settings = firebaseSettings();
  if (settings) return createFirebaseAuthGateway({ mode: "project", settings });
  return createFirebaseAuthGateway({
    mode: "emulator",
    projectId: "demo-tasklane",
    url: window.location.origin,
    chooseGoogleAccount: async () => {
      const { chooseLocalGoogleAccount } = await import("./features/account/choose-local-google-account.ts");
      return chooseLocalGoogleAccount();
    },
  });
}
