import type { User } from "../../auth/token-verifier.ts";
import type { Context } from "../../context.ts";
import type { Me } from "../../contract/index.ts";
import { myEndpoints } from "../../contract/me.ts";
import { peopleEndpoints } from "../../contract/profile.ts";
import { portfolioOf } from "../../domain/files.ts";
import { countForOperators } from "../../domain/operators.ts";
import { changedMeanwhile } from "../../domain/problem-error.ts";
import type { Api } from "../../http/mount.ts";
import { SENT, SerializedJson } from "../../http/response-body.ts";
import { BRAND, escapeXml, sendPage } from "../../http/site.ts";
import { countUnreadConversations } from "../conversations/store.ts";
import { notificationStore } from "../notifications/store.ts";
import { personStore, profileStore } from "./store.ts";

/** The caller's own account: identity, settings, profile, and the unsubscribe link in emails. */
export function peopleRoutes(api: Api, { database, settings: { mail } }: Context): void {
  const store = personStore(database);
  const notifications = notificationStore(database);
  const profiles = profileStore(database);

  /** The caller's id, role, unread counts and settings. */
  async function readMe(user: User): Promise<Me> {
    const isOperator = user.isOperator === true;
    const [unread, unreadConversations, settings, counts] = await Promise.all([
      notifications.countUnread(user.uid),
      countUnreadConversations(database, user.uid),
      store.settings(user.uid),
      isOperator ? countForOperators(database) : {},
    ]);
    return {
      id: user.uid,
      isOperator,
      unread,
      unreadConversations,
      ...settings,
      emailAvailable: mail !== undefined,
      ...counts,
    };
  }

  api.mount(myEndpoints, {
    readMe: ({ user }) => readMe(user),

    changeSettings: async ({ body, user, now }) => {
      await store.saveSettings(user, body, now);
      return readMe(user);
    },

    readOwnProfile: async ({ user }) => {
      const [profile, portfolio] = await Promise.all([
        profiles.read(user.uid),
        portfolioOf(database, user.uid),
      ]);
      return new SerializedJson({ ...profile, portfolio }, {}, profile.version);
    },

    saveProfile: async ({ body, user, now, versions }) => {
      const saved = await profiles.save(user, body, { now, versions });
      if (!saved) throw changedMeanwhile((await profiles.read(user.uid)).version);
      return saved;
    },

    // Only a POST unsubscribes: mail programs send one (RFC 8058), and people press the page's button. Virus scanners,
    // which open every link in an email, change nothing.
    showUnsubscribe: ({ response }) =>
      sendPage(
        response,
        `Stop emails from ${BRAND}?`,
        '<form method="post"><button>Stop emails</button></form>',
      ),

    unsubscribe: async ({ query, response }) => {
      if (await store.unsubscribe(query.person, query.key))
        return sendPage(response, `You will get no more emails from ${BRAND}.`, HOW_TO_RESUBSCRIBE);
      return sendPage(response.status(404), "This link is no longer valid.", HOW_TO_RESUBSCRIBE);
    },
  });

  api.mount(peopleEndpoints, {
    drawAvatar: ({ query, response }) => {
      response.set({
        "Cache-Control": "public, max-age=604800",
        // The web app may have another origin.
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Content-Security-Policy": "default-src 'none'; sandbox",
      });
      response.type("svg").send(drawAvatar(query.initials));
      return SENT;
    },
  });
}

const HOW_TO_RESUBSCRIBE = "<p>You can turn them on and off in your settings.</p>";

/** A picture of these initials in white, on a color of their own, or of a figure. */
function drawAvatar(initials = ""): string {
  const hue = Buffer.from(initials).reduce((sum, byte) => (sum * 31 + byte) % 360, 0);
  const text = `<text x="48" y="62" text-anchor="middle" font-family="system-ui,sans-serif" font-size="40">${escapeXml(initials)}</text>`;
  const figure = '<path d="M48 20a16 16 0 0 1 0 32a16 16 0 0 1 0-32M16 88a32 32 0 0 1 64 0"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" fill="#fff"><path d="M0 0h96v96H0" fill="hsl(${hue},40%,32%)"/>${initials ? text : figure}</svg>`;
}
