import { firebaseSettings } from "../lib/env.ts";
import type { AuthGateway } from "./auth-gateway.ts";
import { createFirebaseAuthGateway } from "./firebase-auth-gateway.ts";

/**
 * The identity provider of this build: the configured Firebase project, or the emulator. It determines who is signed in
 * as soon as this module is evaluated; guarded pages start it while the app is still loading (build/app-start.ts).
 */
export const gateway: AuthGateway = openGateway();

function openGateway(): AuthGateway {
  const settings = firebaseSettings();
  if (settings) return createFirebaseAuthGateway({ mode: "project", settings });
  return createFirebaseAuthGateway({
    mode: "emulator",
    projectId: "demo-tasklane",
    url: window.location.origin,
    chooseGoogleAccount: async () => {
      const { chooseLocalGoogleAccount } = await import("./choose-local-google-account.ts");
      return chooseLocalGoogleAccount();
    },
  });
}
