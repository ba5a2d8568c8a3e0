import type { User } from "../../auth/token-verifier.ts";
import { myEndpoints } from "../../contract/endpoints/me.ts";
import { peopleEndpoints } from "../../contract/endpoints/people.ts";
import type { Me } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { Api } from "../../http/mount.ts";
import { changedMeanwhile } from "../../http/problem.ts";
import { SENT, SerializedJson } from "../../http/response-body.ts";
import { BRAND, sendPage } from "../../http/site.ts";
import { drawAvatar } from "./draw-avatar.ts";
import { type PersonStore, profileStore } from "./person-store.ts";

type Deps = {
  database: Database;
  store: PersonStore;
  countUnread: (uid: string) => Promise<number>;
  countUnreadConversations: (uid: string) => Promise<number>;
  countForOperators: () => Promise<Pick<Me, "openReports" | "openItems">>;
  /** Whether this installation can send email. */
  emailAvailable: boolean;
};

/** The caller's own account: identity, settings, profile, and the unsubscribe link in emails. */
export function peopleFeature(api: Api, deps: Deps): void {
  const { database, store, countForOperators, emailAvailable } = deps;
  const { countUnread, countUnreadConversations } = deps;
  const profiles = profileStore(database);

  /** The caller's id, role, unread counts and settings. */
  async function readMe(user: User): Promise<Me> {
    const isOperator = user.isOperator === true;
    const [unread, unreadConversations, settings, counts] = await Promise.all([
      countUnread(user.uid),
      countUnreadConversations(user.uid),
      store.settings(user.uid),
      isOperator ? countForOperators() : {},
    ]);
    return {
      id: user.uid,
      isOperator,
      unread,
      unreadConversations,
      ...settings,
      emailAvailable,
      ...counts,
    };
  }

  api.mount(myEndpoints.readMe, ({ user }) => readMe(user));

  api.mount(myEndpoints.changeSettings, async ({ body, user, now }) => {
    const { emailNotices, inDirectory } = body;
    if (emailNotices !== undefined) await store.setEmailNotices(user, emailNotices, now);
    if (inDirectory !== undefined) await store.setInDirectory(user, inDirectory, now);
    return readMe(user);
  });

  api.mount(peopleEndpoints.drawAvatar, ({ query, response }) => {
    response.set({
      "Cache-Control": "public, max-age=604800",
      // The web app may have another origin.
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    });
    response.type("svg").send(drawAvatar(query.initials));
    return SENT;
  });

  api.mount(myEndpoints.readOwnProfile, async ({ user }) => {
    const profile = await profiles.read(user.uid);
    return new SerializedJson(profile, {}, profile.version);
  });

  api.mount(myEndpoints.saveProfile, async ({ body, user, now, versions }) => {
    const saved = await profiles.save(user, body, { now, versions });
    if (!saved) throw changedMeanwhile((await profiles.read(user.uid)).version);
    return saved;
  });

  // Only a POST unsubscribes: mail programs send one (RFC 8058), and people press the page's button. Virus scanners,
  // which open every link in an email, change nothing.
  api.mount(myEndpoints.showUnsubscribe, ({ response }) =>
    sendPage(
      response,
      `Stop emails from ${BRAND}?`,
      '<form method="post"><button>Stop emails</button></form>',
    ),
  );

  api.mount(myEndpoints.unsubscribe, async ({ query, response }) => {
    if (await store.unsubscribe(query.person, query.key))
      return sendPage(response, `You will get no more emails from ${BRAND}.`, HOW_TO_RESUBSCRIBE);
    return sendPage(response.status(404), "This link is no longer valid.", HOW_TO_RESUBSCRIBE);
  });
}

const HOW_TO_RESUBSCRIBE = "<p>You can turn them on and off in your settings.</p>";
