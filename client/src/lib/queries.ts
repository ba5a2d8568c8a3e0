import {
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  type QueryMeta,
  queryOptions,
} from "@tanstack/react-query";
import type { Api, ApiResponse, EndpointKey, OptionsOf } from "./api.ts";
import { type Page, pageOf } from "./pages.ts";

declare module "@tanstack/react-query" {
  interface Register {
    /** What the queries of a client call; see {@link provideApi}. */
    queryMeta: { api: Api };
  }
}

/** Lets the queries of this client call the API. */
export function provideApi(queryClient: QueryClient, api: Api): void {
  const { queries, ...others } = queryClient.getDefaultOptions();
  queryClient.setDefaultOptions({ ...others, queries: { ...queries, meta: { api } } });
}

/** For the function of a query: the API of its client. */
export function apiOf({ meta }: { meta: QueryMeta | undefined }): Api {
  if (!meta) throw new Error("The query client has no API.");
  return meta.api;
}

/** The query whose data is the body of an endpoint's response. */
export function endpointQuery<E extends EndpointKey, const K extends QueryKey>(
  queryKey: K,
  endpoint: E,
  options: OptionsOf<E>,
) {
  return queryOptions({
    queryKey,
    queryFn: async (context) => (await apiOf(context).call(endpoint, options)).data,
  });
}

/** The query parameters of one page. */
type PageQuery = { limit: string; cursor: string | undefined };

/** The query of a list that grows by `pageSize` items. */
export function listQuery<T>(
  queryKey: QueryKey,
  pageSize: number,
  readPage: (api: Api, page: PageQuery, client: QueryClient) => Promise<ApiResponse<T[]>>,
) {
  const options = infiniteQueryOptions({
    queryKey,
    queryFn: async (context) => {
      const page = { limit: String(pageSize), cursor: context.pageParam };
      return pageOf(await readPage(apiOf(context), page, context.client));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<T>) => last.next,
  });
  return { ...options, pageSize };
}

export type ListQuery<T> = ReturnType<typeof listQuery<T>>;

/** GET /me: the signed-in person's permissions and settings. */
export const meQuery = endpointQuery(["me"], "GET /me", {});

/** The signed-in person's own profile. */
export const ownProfileQuery = endpointQuery(["me", "profile"], "GET /me/profile", {});
