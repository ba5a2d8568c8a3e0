import type { Answer, Api, CallOptions } from "./api.ts";

/** A call that was made before there was a memory. */
export type EarlyCall = {
  path: string;
  options: CallOptions<unknown>;
  answer: Promise<Answer<unknown>>;
};

/** The API as it is at first; from the moment that `next` is set, that one is called instead. */
export type EarlyApi = Api & { early: EarlyCall[]; next?: Api & { recalling?: boolean } };

/**
 * Stands in for the memory (lib/memory.ts) until that has been loaded, which is after the first page: calls the API, and
 * notes what was asked for, so that the memory knows the first page too.
 */
export function createEarlyApi(api: Api): EarlyApi {
  const self: EarlyApi = {
    early: [],
    call(path, options) {
      if (self.next) return self.next.call(path, options);
      const answer = api.call(path, options);
      self.early.push({ path, options, answer });
      return answer;
    },
  };
  return self;
}
