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
  Users,
} from "lucide-react";
import { paths } from "../lib/paths.ts";

/** `short` is shown below the icon if there is little room. */
type DashLink = { to: string; text: string; short?: string; Icon: LucideIcon };

const ADD_TASK: DashLink = { to: paths.addTask, text: "Add Task", short: "Add", Icon: PlusCircle };
const MESSAGES: DashLink = { to: paths.messages, text: "Messages", Icon: MessagesSquare };
const BROWSING: DashLink[] = [
  { to: paths.dashboard, text: "Dashboard", Icon: LayoutDashboard },
  { to: paths.dashBrowse, text: "Browse Tasks", short: "Browse", Icon: Rows3 },
];
const OWN: DashLink[] = [
  { to: paths.myTasks, text: "My Posted Tasks", short: "Posted", Icon: ClipboardList },
  { to: paths.myBids, text: "My Bids", short: "Bids", Icon: HandCoins },
];
const MORE: DashLink[] = [
  { to: paths.people, text: "Find People", short: "People", Icon: Users },
  { to: paths.saved, text: "Saved Tasks", short: "Saved", Icon: Heart },
  { to: paths.searches, text: "Saved Searches", short: "Searches", Icon: BellPlus },
  { to: paths.settings, text: "Settings", Icon: Settings },
];

export const SIDEBAR_LINKS = [...BROWSING, ADD_TASK, ...OWN, MESSAGES, ...MORE];

/** A phone's dock has room for five. */
export const DOCK_LINKS = [...BROWSING, ...OWN, MESSAGES];

/** The account menu, which on phones leads to what is not in the dock, and on public pages to the messages. */
export const MENU_LINKS = [ADD_TASK, MESSAGES, ...MORE];

export const OPERATOR_LINKS: DashLink[] = [{ to: paths.reports, text: "Reports", Icon: Flag }];
