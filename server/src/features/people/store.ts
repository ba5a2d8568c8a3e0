import type { UpdateFilter } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import {
  calendarDate,
  EMPTY_PROFILE,
  type MailChoices,
  type Me,
  type OwnProfile,
  type PaymentDetails,
  type ProfileDraft,
  type SettingsChange,
} from "../../contract/index.ts";
import { type Database, isDuplicateKey } from "../../db/client.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import { currentRequest } from "../../db/transaction.ts";
import { ensureUnsubscribeKey } from "../../domain/people.ts";
import { gramsOf } from "../../domain/text-search.ts";

/** What a person can choose. */
type Settings = Pick<Me, "emailNotices" | "mailChoices" | "inDirectory">;

export type PersonStore = ReturnType<typeof personStore>;

/** Reads and writes what the product knows about people. */
export function personStore({ people, savedSearches, write }: Database) {
  /** Changes what is stored about a person, who may be new. */
  const change = (user: User, update: UpdateFilter<PersonDoc>, now: Date) =>
    people.updateOne({ _id: user.uid }, { ...update, $setOnInsert: newPerson(user, now) }, { upsert: true });

  return {
    /**
     * Writes the token's name, image and email address, with whether it is verified, unless those of a newer token are
     * stored, and the day as last active; for a new person, also the date they joined.
     */
    async record(user: User, now: Date): Promise<void> {
      const { uid: _id, tokenExpiresAt } = user;
      const lastActiveOn = calendarDate(now);
      // All tokens are valid for equally long, so the newest expires last.
      const isNewest = [{ tokenExpiresAt: { $exists: false } }, { tokenExpiresAt: { $lte: tokenExpiresAt } }];
      const change = {
        $set: { ...fromToken(user), lastActiveOn },
        ...(user.picture === undefined && { $unset: { image: true as const } }),
        $setOnInsert: newMember(now),
      };
      const filter = { _id, $or: isNewest };
      try {
        await people.updateOne(filter, change, { upsert: true });
        return;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      // The person was inserted just now, or a newer token is stored.
      const { matchedCount } = await people.updateOne(filter, change);
      if (matchedCount === 0) await people.updateOne({ _id }, { $set: { lastActiveOn } });
    },

    /** What the person has chosen; emails are off by default, and the directory lists them. */
    async settings(uid: string): Promise<Settings> {
      const projection = { emailNotices: 1, mailChoices: 1, notInDirectory: 1 };
      const person = await people.findOne({ _id: uid }, { projection });
      return {
        emailNotices: person?.emailNotices === true,
        mailChoices: { ...AT_ONCE, ...(person?.mailChoices as Partial<MailChoices> | undefined) },
        inDirectory: !person?.notInDirectory,
      };
    },

    /** Changes the settings that are given. Emails turned on count from now; unsubscribe links that were sent keep working. */
    saveSettings(
      user: User,
      { emailNotices, mailChoices = {}, inDirectory }: SettingsChange,
      now: Date,
    ): Promise<void> {
      const _id = user.uid;
      const choices = Object.entries(mailChoices).map(([group, choice]) => [`mailChoices.${group}`, choice]);
      const update = {
        $set: { ...Object.fromEntries(choices), notInDirectory: inDirectory === false ? true : undefined },
        ...(inDirectory && { $unset: { notInDirectory: true } }),
      } as UpdateFilter<PersonDoc>;
      return write(async () => {
        await change(user, update, now);
        if (emailNotices === undefined) return;
        // Not if emails already are as wanted, which keeps `emailNoticesSince`.
        const since = emailNotices ? { $set: { emailNotices, emailNoticesSince: now } } : OFF;
        await people.updateOne({ _id, emailNotices: { $ne: emailNotices } }, since);
        if (emailNotices) await ensureUnsubscribeKey(people, _id);
      });
    },

    /** How the person is paid. */
    async paymentDetails(uid: string): Promise<PaymentDetails> {
      const person = await people.findOne({ _id: uid }, { projection: { payment: 1 } });
      return person?.payment ?? { way: "iban", value: "" };
    },

    savePaymentDetails(user: User, payment: PaymentDetails, now: Date) {
      const update = payment.value === "" ? { $unset: { payment: true as const } } : { $set: { payment } };
      return write(() => change(user, update, now));
    },

    /** Turns all emails off if the unsubscribe key is this person's. @returns whether it is. */
    async unsubscribe(uid: string, unsubscribeKey: string): Promise<boolean> {
      currentRequest()?.beginWrite();
      const { matchedCount } = await people.updateOne({ _id: uid, unsubscribeKey }, OFF);
      if (matchedCount === 0) return false;
      await savedSearches.updateMany({ ownerId: uid }, { $set: { mail: "never" } });
      return true;
    },
  };
}

/** The document of a new person. */
function newPerson(user: User, now: Date) {
  return { ...fromToken(user), ...newMember(now), lastActiveOn: calendarDate(now) };
}

const newMember = (memberSince: Date) => ({ memberSince, emailNotices: false });

/** The stored fields that come from the token. */
function fromToken({ name, email, emailVerified, picture, tokenExpiresAt }: User) {
  return {
    tokenExpiresAt,
    name,
    nameGrams: gramsOf([name]),
    email,
    emailVerified: emailVerified === true,
    ...(picture !== undefined && { image: picture }),
  };
}

/** Unless somebody has chosen otherwise. */
const AT_ONCE: MailChoices = {
  bids: "at-once",
  work: "at-once",
  payments: "at-once",
  messages: "at-once",
  other: "at-once",
};
const OFF = { $set: { emailNotices: false } } as const;

/** Reads and writes the profiles that people write about themselves. */
export function profileStore({ people, write }: Database) {
  return {
    async read(uid: string): Promise<OwnProfile> {
      const person = await people.findOne({ _id: uid }, { projection: { profile: 1 } });
      return person?.profile ?? EMPTY_PROFILE;
    },

    /**
     * Saves the profile; if `versions` are given, only if the stored version is one of them.
     * @returns the saved profile, or null if the stored version is a different one.
     */
    save(
      user: User,
      draft: ProfileDraft,
      { now, versions }: { now: Date; versions: readonly number[] | undefined },
    ): Promise<OwnProfile | null> {
      const _id = user.uid;
      // Before the first save there is no version; `null` matches that.
      const version = versions && {
        "profile.version": { $in: versions.flatMap((each) => each || [0, null]) },
      };
      const fields = Object.entries(draft).map(([field, value]) => [`profile.${field}`, value]);
      const isEmpty = Object.values(draft).every(({ length }) => length === 0);
      const change = {
        $set: {
          ...Object.fromEntries(fields),
          profileGrams: gramsOf([draft.headline, ...draft.skills]),
        },
        $inc: { "profile.version": 1 },
        ...(!isEmpty && { $min: { publicSince: now } }),
      };
      return write(async () => {
        await people.updateOne({ _id }, { $setOnInsert: newPerson(user, now) }, { upsert: true });
        const saved = await people.findOneAndUpdate({ _id, ...(version as object) }, change, {
          returnDocument: "after",
          projection: { profile: 1 },
        });
        return saved?.profile ?? null;
      });
    },
  };
}
