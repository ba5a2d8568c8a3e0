import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import type { FileInfo, Task, TaskFile, Upload } from "@tasklane/server/contract";
import { fetchFile } from "../../auth/download-button.tsx";
import { useAuth } from "../../auth/session.tsx";
import { apiOrigin } from "../../lib/env.ts";
import { endpointQuery } from "../../lib/queries.ts";
import { useTaskPart } from "../tasks/task-queries.ts";

const POLL_MS = 500;

/** What became of an upload; asked again while it is being checked. */
export function uploadQuery(id: string) {
  return queryOptions({
    ...endpointQuery(["uploads", id], "GET /files/:id", { params: { id } }),
    refetchInterval: ({ state: { data } }) => data?.state === "checking" && POLL_MS,
  });
}

/** Waits until an upload was checked. */
export async function readChecked(queryClient: QueryClient, id: string): Promise<Upload> {
  const upload = await queryClient.fetchQuery({ ...uploadQuery(id), staleTime: 0 });
  if (upload.state !== "checking") return upload;
  await new Promise((resolve) => window.setTimeout(resolve, POLL_MS));
  return readChecked(queryClient, id);
}

/** The address of a file's content, or of its thumbnail. */
export function contentPath(id: string, isThumbnail = false): string {
  return `/files/${id}/content${isThumbnail ? "?thumbnail=1" : ""}`;
}

/** A picture as a data URL, because an image element could not send the token; undefined until it is loaded. */
export function usePicture(id: string, isThumbnail = false): string | undefined {
  const { getToken } = useAuth();
  const { data } = useQuery({
    queryKey: ["pictures", id, isThumbnail],
    queryFn: async () => dataUrlOf(await fetchFile(apiOrigin + contentPath(id, isThumbnail), getToken)),
    // It never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

async function dataUrlOf(response: Response): Promise<string> {
  const blob = await response.blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** The files on one thing: the task itself, a bid, a delivery or a dispute. Undefined until loaded, and for visitors. */
export function useFilesOn(
  task: Pick<Task, "_id" | "version" | "viewer">,
  on: string | undefined,
): TaskFile[] | undefined {
  const { data } = useTaskPart("files", task, task.viewer !== undefined && on !== undefined);
  return data?.filter((file) => file.on === on);
}

/** The ids of files as the value of their field. */
export function filesValue(files: readonly FileInfo[] = []): string {
  return files.map(({ _id }) => _id).join("\n");
}
