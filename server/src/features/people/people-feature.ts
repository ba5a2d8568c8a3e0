import type { User } from "../../auth/token-verifier.ts";
import { myEndpoints } from "../../contract/endpoints/me.ts";
import type { Me } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { ReadCache } from "../../db/read-cache.ts";
import type { Api } from "../../http/mount.ts";
import { changedMeanwhile } from "../../http/problem.ts";
import { SerializedJson } from "../../http/response-body.ts";
import { BRAND, sendPage } from "../../http/site.ts";
import type { PersonStore } from "./person-store.ts";
import { profileStore } from "./profile-store.ts";

type Deps = {
  database: Database;
  readCache: Pick<ReadCache, "invalidateAfter">;
  store: PersonStore;
  countUnread: (uid: string) => Promise<number>;
  countUnreadConversations: (uid: string) => Promise<number>;
  countOpenReports: () => Promise<number>;
  /** Is there a way to send email? */
  emailAvailable: boolean;
};

/** The callers themselves: who they are, what they chose and say of themselves, and the link in their emails that ends those. */
export function peopleFeature(api: Api, deps: Deps): void {
  const { database, readCache, store, countOpenReports, emailAvailable } = deps;
  const { countUnread, countUnreadConversations } = deps;
  const profiles = profileStore(database);

  /** Who the caller is to the product, and what they chose. */
  async function readMe(user: User): Promise<Me> {
    const isOperator = user.isOperator === true;
    const [unread, unreadConversations, emailNotices, openReports] = await Promise.all([
      countUnread(user.uid),
      countUnreadConversations(user.uid),
      store.wantsEmails(user.uid),
      isOperator ? countOpenReports() : undefined,
    ]);
    return {
      id: user.uid,
      isOperator,
      unread,
      unreadConversations,
      emailNotices,
      emailAvailable,
      ...(openReports !== undefined && { openReports }),
    };
  }

  api.mount(myEndpoints.readMe, ({ user }) => readMe(user));

  api.mount(myEndpoints.changeSettings, async ({ body, user, now }) => {
    await store.setEmailNotices(user, body.emailNotices, now);
    return readMe(user);
  });

  api.mount(myEndpoints.readOwnProfile, async ({ user }) => {
    const profile = await profiles.read(user.uid);
    return new SerializedJson(profile, {}, { version: profile.version });
  });

  api.mount(myEndpoints.saveProfile, async ({ body, user, now, versions }) => {
    // Pages with the name in them are kept, too; it was written with the token.
    const saved = await readCache.invalidateAfter(() => profiles.save(user, body, { now, versions }));
    if (!saved) throw changedMeanwhile((await profiles.read(user.uid)).version);
    return saved;
  });

  // Only a POST ends emails: mail programs send one by themselves when asked to (RFC 8058), people press the button of
  // the page, and what merely opens every link in a mail, as virus scanners do, changes nothing.
  api.mount(myEndpoints.showUnsubscribe, ({ response }) =>
    sendPage(
      response,
      `Stop emails from ${BRAND}?`,
      '<form method="post"><button>Stop emails</button></form>',
    ),
  );

  api.mount(myEndpoints.unsubscribe, async ({ query, response }) => {
    if (await store.unsubscribe(query.person, query.key))
      return sendPage(response, `You will get no more emails from ${BRAND}.`, TURN_ON_AGAIN);
    return sendPage(response.status(404), "This link is not valid any more.", TURN_ON_AGAIN);
  });
}

const TURN_ON_AGAIN = "<p>You can turn them on and off in your settings.</p>";
