import { createContext, type ReactNode, use } from "react";
import type { Api } from "./api.ts";

const ApiContext = createContext<Api | null>(null);

/** Makes the API available to components below. Pages load and save through their routes; this is for what is no page's. */
export function ApiProvider({ api, children }: { api: Api; children: ReactNode }) {
  return <ApiContext value={api}>{children}</ApiContext>;
}

/** The API for a component: what runs beside the page (the bell, a report, a download) and must not load it again. */
export function useApi(): Api {
  const api = use(ApiContext);
  if (!api) throw new Error("useApi needs an ApiProvider above it.");
  return api;
}
