import type { User } from "../../auth/token-verifier.ts";
import { type Bid, calendarDate, mayAct, type Task, type TaskRole } from "../../contract/index.ts";
import type { BidDoc } from "../../db/collections.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { AddressStore } from "./address-store.ts";
import { presentTask } from "./present-task.ts";
import { canSee, roleIn } from "./task-policy.ts";
import type { TaskRow, TaskStore } from "./task-store.ts";

/** How a bid looks to its freelancer; comes from the feature of bids. */
export type PresentBid = (bid: BidDoc, task: TaskRow) => Bid;

/**
 * Reads one task; a signed-in visitor also learns how they stand to it. A hidden task is there for its owner,
 * whoever was hired for it, and operators only.
 * @throws {ProblemError} `task-not-found`.
 */
export async function readTask(
  { store, addresses, presentBid }: { store: TaskStore; addresses: AddressStore; presentBid: PresentBid },
  id: string,
  visitor: User | undefined,
  now: Date,
): Promise<Task> {
  const [task, bid] = await Promise.all([
    store.find(id),
    visitor ? store.findBid(id, visitor.uid) : undefined,
  ]);
  if (!task || !canSee(task, visitor)) throw new ProblemError("task-not-found");
  const answer = presentTask(task, visitor, now);
  if (!visitor) return answer;
  const role = roleIn(task, visitor);
  const mayReview = mayAct("review", role, answer.state);
  const { contact, addressLimitReached, ...email } = await addressesFor(addresses, role, task, visitor, now);
  return {
    ...answer,
    ...email,
    viewer: {
      isOwner: role === "client",
      hasBid: bid != null,
      role,
      bid: bid ? presentBid(bid, task) : undefined,
      contact,
      addressLimitReached,
      hasReviewed: mayReview && (await store.hasReviewed(id, visitor.uid)),
      showEmail: role === "client" ? task.showEmail !== false : undefined,
    },
  };
}

type Addresses = Pick<Task, "email" | "emailVerified"> &
  Pick<NonNullable<Task["viewer"]>, "contact" | "addressLimitReached">;

const LIMIT_REACHED: Addresses = { addressLimitReached: true };

/**
 * The addresses that a task shows to somebody signed in: the poster's, if they left that on, and after an award to each
 * of its two sides the other's, until the task is opened again. What could be repeated to collect addresses is limited.
 */
async function addressesFor(
  addresses: AddressStore,
  role: TaskRole,
  task: TaskRow,
  visitor: User,
  now: Date,
): Promise<Addresses> {
  const { award, ownerId, email, name } = task;
  const today = calendarDate(now);
  const contactOf = async (id: string, name: string, email: string) =>
    // Who deleted their account left no address.
    email === "" ? undefined : { id, name, email, emailVerified: await addresses.isVerified(id, email) };
  if (role === "client") {
    if (!award) return {};
    const again = (task.voidedAwards ?? 0) > 0;
    if (again && !(await addresses.maySee(visitor.uid, "rehired", award.freelancerId, today)))
      return LIMIT_REACHED;
    return { contact: await contactOf(award.freelancerId, award.name, award.email) };
  }
  const wasHired = award?.freelancerId === visitor.uid;
  if (email === "" || (task.showEmail === false && !wasHired)) return {};
  if (!wasHired && !(await addresses.maySee(visitor.uid, "posters", ownerId, today))) return LIMIT_REACHED;
  const contact = await contactOf(ownerId, name, email);
  return { email, emailVerified: contact?.emailVerified, contact: wasHired ? contact : undefined };
}
