import { useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { uploadedPhoto } from "../../auth/photo.ts";
import { useAuth } from "../../auth/session.tsx";
import { problemText } from "../../lib/problem.ts";
import { meQuery, useApi } from "../../lib/queries.tsx";
import { notify } from "../../ui/notify.tsx";
import { readChecked } from "../files/file-list.tsx";
import { type RunningUpload, uploads } from "../files/upload.tsx";

/** Uploads a picture of the user, which is their photo from then on, and gives its address. */
export function PhotoUpload({ onUploaded }: { onUploaded: (address: string) => void }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { ready, getToken, updateUser } = useAuth();
  const [state, setState] = useState<{ sent?: number; error?: string }>({});
  const running = useRef<RunningUpload>(undefined);
  useEffect(() => () => running.current?.cancel(), []);

  const show = async (id: string) => {
    try {
      const { file, reason } = await readChecked(queryClient, id);
      if (!file?.picture) return setState({ error: reason ?? "This is not a picture." });
      await api.call("PUT /me/files", { body: { photo: [id] }, isRepeatable: true });
      // At once, because the file of an earlier photo is deleted. The name may have been changed during the upload.
      await updateUser({ displayName: (await ready())?.displayName ?? "", photoURL: uploadedPhoto(id) });
      // The API learns it from the new token.
      await queryClient.refetchQueries({ queryKey: meQuery.queryKey, type: "all" });
      void queryClient.invalidateQueries({ queryKey: ["people"] });
      setState({});
      onUploaded(uploadedPhoto(id));
      notify.success("Your photo is saved.", { topic: "photo" });
    } catch (error) {
      setState({ error: problemText(error) });
    }
  };
  const send = (file: File | undefined) => {
    if (!file) return;
    running.current?.cancel();
    setState({ sent: 0 });
    running.current = uploads.start(file, {
      getToken,
      onProgress: (sent) => setState({ sent: sent / file.size }),
      onError: (error) => setState({ error }),
      onDone(id) {
        running.current = undefined;
        void show(id);
      },
    });
  };
  const { sent, error } = state;
  return (
    <span className="grid gap-1">
      <label className="btn -ml-3 justify-self-start btn-ghost btn-sm has-focus-visible:outline-3 has-focus-visible:outline-primary">
        <Upload />
        {sent === undefined ? "Upload a picture" : `Uploading… ${Math.round(sent * 100)}%`}
        <input
          type="file"
          accept="image/*"
          className="sr-only"
          onChange={({ currentTarget }) => {
            send(currentTarget.files?.[0]);
            currentTarget.value = "";
          }}
        />
      </label>
      {error && (
        <span role="alert" className="text-sm font-medium text-error">
          {error}
        </span>
      )}
    </span>
  );
}
