import { firebaseSettings } from "../lib/env.ts";
import type { AuthGateway } from "./auth-gateway.ts";
import { createFirebaseAuthGateway } from "./firebase-auth-gateway.ts";

/**
 * The identity provider that this build is for: the Firebase project of its settings, or the emulator. It is asked who is
 * signed in as soon as this file runs: pages for signed-in people run it while the rest is still fetched
 * (build/app-start.ts).
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
