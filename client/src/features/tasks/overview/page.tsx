import { ClipboardList, Layers, Rows3 } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLoaderData } from "react-router-dom";
import { useAuth } from "../../../auth/auth-context.tsx";
import { paths } from "../../../lib/paths.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { PageHeading } from "../../../ui/page-heading.tsx";
import { PageMeta } from "../../../ui/page-meta.tsx";
import type { Overview } from "./data.ts";

/** SPEC section 2, Dashboard home: a welcome, three counters and a profile card. */
export function Component() {
  const { total, mine, categories } = useLoaderData<Overview>();
  const { user } = useAuth();
  const name = user?.displayName ?? user?.email ?? "";
  return (
    <div className="space-y-6">
      <PageMeta title="Dashboard" />
      <PageHeading title={`Welcome, ${name}`}>Here is where things stand today.</PageHeading>
      <div className="grid gap-5 xl:grid-cols-[minmax(0,1fr)_20rem] xl:items-start">
        <dl className="grid gap-5 sm:grid-cols-3">
          <Counter icon={<Rows3 />} name="Total Tasks" value={total} to={paths.dashBrowse} />
          <Counter icon={<ClipboardList />} name="My Posted Tasks" value={mine} to={paths.myTasks} />
          <Counter icon={<Layers />} name="Total Job Category" value={categories} />
        </dl>
        <section aria-label="Profile" className="surface flex flex-col items-center gap-3 p-6 text-center">
          <Avatar name={name} src={user?.photoURL} size="lg" />
          <div className="max-w-full min-w-0">
            <p className="truncate text-lg font-semibold">{name}</p>
            <p className="quiet truncate text-sm">{user?.email}</p>
          </div>
        </section>
      </div>
    </div>
  );
}

function Counter({ icon, name, value, to }: { icon: ReactNode; name: string; value: number; to?: string }) {
  return (
    <div className="surface relative flex flex-col-reverse justify-end gap-1 p-6">
      <dt className="quiet text-sm">
        {to ? (
          <Link to={to} className="after:absolute after:inset-0 hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className="flex flex-wrap items-center justify-between gap-x-4 text-4xl font-semibold tabular-nums">
        {value.toLocaleString("en-US")}
        <span aria-hidden="true" className="text-primary">
          {icon}
        </span>
      </dd>
    </div>
  );
}
