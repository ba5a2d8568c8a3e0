import {
  BellPlus,
  ClipboardList,
  Flag,
  HandCoins,
  Heart,
  LayoutDashboard,
  type LucideIcon,
  MessagesSquare,
  PlusCircle,
  Rows3,
  Settings,
} from "lucide-react";
import { paths } from "../lib/paths.ts";

/** `short` is shown below the icon if there is little room. */
type DashLink = { to: string; text: string; short?: string; Icon: LucideIcon };

/** The dashboard pages in a phone's dock, which has room for five. */
export const DOCK_LINKS: DashLink[] = [
  { to: paths.dashboard, text: "Dashboard", Icon: LayoutDashboard },
  { to: paths.dashBrowse, text: "Browse Tasks", short: "Browse", Icon: Rows3 },
  { to: paths.addTask, text: "Add Task", short: "Add", Icon: PlusCircle },
  { to: paths.myTasks, text: "My Posted Tasks", short: "Posted", Icon: ClipboardList },
  { to: paths.myBids, text: "My Bids", short: "Bids", Icon: HandCoins },
];

/** The other dashboard pages, which on phones are in the account menu. */
export const MORE_LINKS: DashLink[] = [
  { to: paths.messages, text: "Messages", Icon: MessagesSquare },
  { to: paths.saved, text: "Saved Tasks", short: "Saved", Icon: Heart },
  { to: paths.searches, text: "Saved Searches", short: "Searches", Icon: BellPlus },
  { to: paths.settings, text: "Settings", Icon: Settings },
];

export const OPERATOR_LINKS: DashLink[] = [{ to: paths.reports, text: "Reports", Icon: Flag }];
