import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type FormEvent, useDeferredValue, useEffect, useEffectEvent, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import { sanitizeSearch } from "../lib/filters.ts";
import { plural } from "../lib/format.ts";
import { paths } from "../lib/paths.ts";
import { useApi } from "../lib/queries.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SIDEBAR_LINKS } from "./dash-links.ts";

const SHOWN = 5;
const MAX_LENGTH = 100;
const PAGES = [
  ...SIDEBAR_LINKS,
  { to: paths.notifications, text: "Notifications" },
  { to: paths.home, text: "Home" },
  { to: paths.about, text: "About us" },
  { to: paths.contact, text: "Contact" },
];

const SHORTCUTS = [
  ["Ctrl K or ⌘ K", "Search tasks, people and pages"],
  ["?", "Show these shortcuts"],
  ["Esc", "Close what is open"],
  ["Enter", "Send a message (Shift Enter for a new line)"],
] as const;

/** Is the key typed into something? */
function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null
  );
}

/** A search over tasks, people and pages, opened with Ctrl or ⌘ and K, and the shortcuts, opened with "?". */
export function QuickSearch() {
  const [open, setOpen] = useState<"search" | "shortcuts" | null>(null);
  const [text, setText] = useState("");
  const { key } = useLocation();
  const [openedAt, setOpenedAt] = useState(key);
  // Whatever was chosen, it is a page.
  if (open && openedAt !== key) setOpen(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isSearch = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
    if (!isSearch && (event.key !== "?" || isTyping(event))) return;
    // Another dialog may hold what somebody is writing.
    if (document.querySelector("dialog[open], .swal2-shown")) return;
    event.preventDefault();
    setText("");
    setOpenedAt(key);
    setOpen(isSearch ? "search" : "shortcuts");
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return (
    <Dialog
      title={open === "shortcuts" ? "Keyboard shortcuts" : "Search"}
      open={open !== null}
      onClose={() => setOpen(null)}
    >
      {open === "shortcuts" ? (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-3">
          {SHORTCUTS.map(([keys, what]) => (
            <div key={keys} className="col-span-full grid grid-cols-subgrid">
              <dt>
                <kbd className="kbd kbd-sm">{keys}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <Results text={text} onText={setText} />
      )}
    </Dialog>
  );
}

function Results({ text, onText }: { text: string; onText: (text: string) => void }) {
  const api = useApi();
  const navigate = useNavigate();
  const search = useDeferredValue(sanitizeSearch(text, MAX_LENGTH));
  const { data: tasks = [] } = useQuery({
    queryKey: ["tasks", "quick", search],
    queryFn: async () => (await api.call("GET /tasks", { query: { search, limit: String(SHOWN) } })).data,
    enabled: search.length > 1,
  });
  const query = new URLSearchParams({ search });
  const pages = PAGES.filter((page) => page.text.toLowerCase().includes(search.toLowerCase()));
  const results = [
    ...(search ? pages : []).map((page) => ({ to: page.to, text: page.text, kind: "Page" })),
    ...tasks.map((task) => ({ to: paths.task(task._id), text: task.title, kind: "Task" })),
    ...(search
      ? [
          { to: `${paths.browse}?${query}&state=all`, text: `All tasks with “${search}”`, kind: "Search" },
          { to: `${paths.people}?${query}`, text: `People with “${search}”`, kind: "Search" },
        ]
      : []),
  ];
  const follow = (event: FormEvent) => {
    event.preventDefault();
    if (results[0]) void navigate(results[0].to);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: Enter submits a form, which a search element cannot do.
    <form role="search" className="space-y-3" onSubmit={follow}>
      <label className="input w-full">
        <Search className="quiet size-4" />
        <input
          type="search"
          aria-label="Search tasks, people and pages"
          placeholder="Tasks, people and pages"
          maxLength={MAX_LENGTH}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
      </label>
      <p role="status" className="sr-only">
        {search && plural(results.length, "result")}
      </p>
      <ul className="menu w-full p-0">
        {results.map(({ to, text, kind }) => (
          <li key={to}>
            <Link to={to} className="flex justify-between gap-3">
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {text}
              </span>
              <span className="quiet text-xs">{kind}</span>
            </Link>
          </li>
        ))}
      </ul>
      {!search && <p className="quiet text-sm">Type at least two letters. Enter opens the first result.</p>}
    </form>
  );
}
