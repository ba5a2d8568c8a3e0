import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { makeZip } from "client-zip";
import type { Context } from "../../context.ts";
import { fileEndpoints } from "../../contract/file.ts";
import { calendarDate, UPLOADS_PATH } from "../../contract/index.ts";
import { attachFiles, PICTURE_TYPES } from "../../domain/files.ts";
import { invalid } from "../../domain/problem-error.ts";
import type { Api } from "../../http/mount.ts";
import { SENT, sendBytes } from "../../http/response-body.ts";
import { fileReader } from "./read-files.ts";
import { ContentMissing, type Storage } from "./storage.ts";
import { uploadServer } from "./uploads.ts";

/** Uploads, and reading files. Other features attach them to what they hang on, see `domain/files.ts`. */
export function fileRoutes(api: Api, context: Context): void {
  const { database, storage } = context;
  const reader = fileReader(database);

  api.mountProtocol(UPLOADS_PATH, ({ request, response, user, now }) =>
    uploadServer(context, user, now).handle(request, response),
  );

  api.mount(fileEndpoints, {
    readUpload: ({ params, user }) => reader.readUpload(params.id, user),

    listTaskFiles: ({ params, user }) => reader.listOnTask(params.id, user),

    saveProfileFiles: ({ body, user, now }) =>
      database.transaction(async () => {
        const attach = (kind: "photo" | "portfolio") =>
          attachFiles(database, user.uid, body[kind], { kind }, now);
        // Written, so that two sets at the same time collide.
        await database.people.updateOne({ _id: user.uid }, { $inc: { pairRevision: 1 } });
        const isNewPhoto = await attach("photo");
        const other = { uid: user.uid, "place.kind": "photo", type: { $nin: [...PICTURE_TYPES] } } as const;
        if (await database.files.findOne(other, { projection: { _id: 1 } }))
          throw invalid("photo", "Choose a picture: JPEG, PNG, WebP, GIF or AVIF.");
        return (await attach("portfolio")) || isNewPhoto;
      }),

    downloadFiles: async ({ user, now, request, response }) => {
      response.setHeader("Content-Type", "application/zip");
      const name = `tasklane-files-${calendarDate(now)}.zip`;
      response.setHeader("Content-Disposition", disposition("attachment", name));
      response.setHeader("Cache-Control", "no-store");
      const zip = makeZip(archived(database, storage, user.uid)) as ReadableStream;
      if (request.method !== "HEAD") return sendBytes(response, [Readable.fromWeb(zip)]);
      response.end();
      return SENT;
    },

    readFile: async ({ params, query, user, request, response }) => {
      const { _id, name, type = "", size, thumbnail, place } = await reader.find(params.id, user);
      const isPicture = PICTURE_TYPES.some((picture) => picture === type);
      // The content never changes under this id.
      response.setHeader("Cache-Control", `${user ? "private" : "public"}, max-age=3600`);
      response.setHeader("Content-Disposition", disposition(isPicture ? "inline" : "attachment", name));
      // Profiles show these on every page, which may have another origin.
      if (place && !place.on) response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
      if (query.thumbnail && thumbnail) {
        response.type("image/webp").send(Buffer.from(thumbnail.buffer));
        return SENT;
      }
      const content = request.method === "HEAD" ? undefined : await storage.read(_id);
      // Only what was encoded here is displayed; browsers save everything else, and run nothing in it.
      response.setHeader("Content-Type", isPicture ? type : "application/octet-stream");
      response.setHeader("Content-Security-Policy", "default-src 'none'; sandbox");
      response.setHeader("Content-Length", size);
      if (content) return sendBytes(response, [content]);
      response.end();
      return SENT;
    },
  });
}

/** A person's files with their content, each name with its id so that it is unique. */
async function* archived({ files }: Context["database"], storage: Storage, uid: string) {
  const projection = { name: 1, createdAt: 1 } as const;
  for await (const { _id, name, createdAt } of files.find({ uid, state: "ready" }, { projection })) {
    const input = await storage.read(_id).catch((error: unknown) => {
      // Deleted meanwhile.
      if (error instanceof ContentMissing) return undefined;
      throw error;
    });
    try {
      if (input) yield { name: `${_id} ${name}`, lastModified: createdAt, input };
    } finally {
      // The client may have left.
      input?.destroy();
    }
  }
}

/** `Content-Disposition` with any name (RFC 6266, RFC 8187). */
function disposition(kind: "inline" | "attachment", name: string): string {
  const plain = name.replace(/[^\w .()-]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
