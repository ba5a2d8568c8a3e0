import { createContext, type RouterContextProvider } from "react-router-dom";
import type { Api } from "./api.ts";

/** Carries the API to route loaders and actions; set once per navigation in app/router.tsx. */
export const apiContext = createContext<Api>();

/** The API for a loader or action: `const api = apiOf(args)`. */
export function apiOf({ context }: { context: Readonly<RouterContextProvider> }): Api {
  return context.get(apiContext);
}
