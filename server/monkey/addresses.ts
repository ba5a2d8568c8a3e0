import type { Api, Role } from "./people.ts";

const PUBLIC = [
  ...["/", "/browsetask", "/about", "/contact", "/terms", "/privacy", "/nowhere", "/people/nobody"],
  ...["/auth/login", "/auth/register", "/auth/forgot-password"],
  ...["/browsetask?search=a&state=all", "/browsetask?category=Design&sort=asc", "/browsetask?search=zzzz"],
];
const SIGNED_IN = [
  ...["dashboard", "dashBrowseTask", "addtask", "myposttask", "mybids", "saved", "notifications", "messages"],
  ...[
    "searches",
    "settings",
    "reports",
    "mybids?state=awarded",
    "taskdetails/ffffffffffffffffffffffff",
    "updatetask/x",
  ],
].map((name) => `/dash/${name}`);
const OPERATOR = ["/dash/reports/queue", "/dash/reports/log"];

/** Addresses that someone in this role may open: every page, and some existing tasks, people and conversations. */
export async function addressesFor(role: Role, api: Api): Promise<string[]> {
  const ids = async (path: string) => {
    const response = await api("GET", path);
    return response.ok ? ((await response.json()) as Listed[]) : [];
  };
  const tasks = await ids("/tasks?limit=12");
  const details = tasks.flatMap(({ _id, clientId }) => [`/taskdetails/${_id}`, `/people/${clientId}`]);
  if (role === "visitor") return [...PUBLIC, ...details, "/dash/dashboard"];
  const bids = await ids("/me/bids?limit=12");
  const conversations = await ids("/me/conversations");
  const { email } = (await (await api("GET", "/me")).json()) as { email: string };
  const mine = (await ids(`/tasks?email=${encodeURIComponent(email)}`)).slice(0, 12);
  return [
    ...PUBLIC,
    ...SIGNED_IN,
    ...(role === "operator" ? OPERATOR : []),
    ...details.map((path) => path.replace("/taskdetails", "/dash/taskdetails")),
    ...bids.map(({ task }) => `/dash/taskdetails/${task?._id}`),
    ...conversations.map(({ _id }) => `/dash/messages/${_id}`),
    ...mine.flatMap(({ _id }) => [
      `/dash/taskdetails/${_id}`,
      `/dash/updatetask/${_id}`,
      `/dash/myposttask?bids=${_id}`,
      `/dash/addtask?copy=${_id}`,
    ]),
  ];
}

type Listed = { _id: string; clientId?: string; task?: { _id: string } };
