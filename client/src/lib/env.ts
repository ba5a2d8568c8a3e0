/** The only reader of build-time variables (see .env.example). */
const vars = import.meta.env;

/** Origin of the API; empty means the page's own origin. */
export const apiOrigin: string = (vars["VITE_API_URL"] ?? "").replace(/\/+$/, "");

export type FirebaseSettings = {
  apiKey: string;
  authDomain: string;
  projectId: string;
  appId: string;
};

/** Settings of the real Firebase project, or null to use the Auth emulator on the page's own origin. */
export function firebaseSettings(): FirebaseSettings | null {
  const apiKey = vars["VITE_FIREBASE_API_KEY"];
  const projectId = vars["VITE_FIREBASE_PROJECT_ID"];
  if (!apiKey || !projectId) return null;
  return {
    apiKey,
    projectId,
    authDomain: vars["VITE_FIREBASE_AUTH_DOMAIN"] || `${projectId}.firebaseapp.com`,
    appId: vars["VITE_FIREBASE_APP_ID"] ?? "",
  };
}
