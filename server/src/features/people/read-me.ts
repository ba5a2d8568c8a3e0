import type { User } from "../../auth/token-verifier.ts";
import type { Me } from "../../contract/index.ts";
import type { PersonStore } from "./person-store.ts";

/** What of a person's page lies outside this feature. */
export type MeDeps = {
  store: PersonStore;
  countUnread: (uid: string) => Promise<number>;
  /** Is there a way to send e-mail? */
  emailAvailable: boolean;
};

/** Who the caller is to the product, and what they chose. */
export async function readMe({ store, countUnread, emailAvailable }: MeDeps, user: User): Promise<Me> {
  const [unread, emailNotices] = await Promise.all([countUnread(user.uid), store.wantsEmails(user.uid)]);
  return { id: user.uid, isOperator: user.isOperator === true, unread, emailNotices, emailAvailable };
}
