import { Upload, type UploadOptions } from "tus-js-client";
import { FILE_LIMITS, UPLOADS_PATH } from "../src/contract/index.ts";
import type { Person } from "./people.ts";

/** Sends bytes as the web app does. @returns the file's id. @throws tus-js-client's `DetailedError`. */
export function send(
  origin: string,
  { token }: Pick<Person, "token">,
  name: string,
  content: Buffer,
  options: UploadOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(content, {
      ...{ endpoint: origin + UPLOADS_PATH, chunkSize: FILE_LIMITS.part, retryDelays: null },
      ...{ metadata: { filename: name }, headers: { Authorization: `Bearer ${token}` } },
      onError: reject,
      onSuccess: () => resolve(upload.url?.slice(-24) ?? ""),
      ...options,
    });
    upload.start();
  });
}
