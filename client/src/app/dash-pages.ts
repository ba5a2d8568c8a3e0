/** Where the parts of the dashboard's pages lie. Each page's code and data load side by side, when it is visited. */
export const dashPages = {
  dashboard: {
    loader: async () => (await import("../features/tasks/overview/data.ts")).loader,
    Component: async () => (await import("../features/tasks/overview/page.tsx")).Component,
  },
  browse: {
    loader: async () => (await import("../features/tasks/browse/data.ts")).loader,
    Component: async () => (await import("../features/tasks/dash-browse/page.tsx")).Component,
  },
  post: {
    loader: async () => (await import("../features/tasks/post/data.ts")).loader,
    action: async () => (await import("../features/tasks/post/data.ts")).action,
    Component: async () => (await import("../features/tasks/post/page.tsx")).Component,
  },
  mine: {
    loader: async () => (await import("../features/tasks/mine/data.ts")).loader,
    action: async () => (await import("../features/tasks/mine/data.ts")).action,
    Component: async () => (await import("./pages/my-tasks.tsx")).Component,
  },
  inbox: {
    loader: async () => (await import("../features/bids/inbox/data.ts")).loader,
    action: async () => (await import("../features/bids/inbox/data.ts")).action,
    Component: async () => (await import("./pages/inbox-data.tsx")).Component,
  },
  myBids: {
    loader: async () => (await import("../features/bids/mine/data.ts")).loader,
    Component: async () => (await import("./pages/my-bids.tsx")).Component,
  },
  notifications: {
    Component: async () => (await import("../features/notifications/page.tsx")).Component,
  },
  settings: {
    loader: async () => (await import("../features/settings/data.ts")).loader,
    action: async () => (await import("../features/settings/data.ts")).action,
    Component: async () => (await import("../features/settings/page.tsx")).Component,
  },
  reports: {
    loader: async () => (await import("../features/reports/operators/data.ts")).loader,
    action: async () => (await import("../features/reports/operators/data.ts")).action,
    Component: async () => (await import("../features/reports/operators/page.tsx")).Component,
  },
  update: {
    loader: async () => (await import("../features/tasks/update/data.ts")).loader,
    action: async () => (await import("../features/tasks/update/data.ts")).action,
    Component: async () => (await import("../features/tasks/update/page.tsx")).Component,
  },
  details: {
    loader: async () => (await import("../features/tasks/detail/data.ts")).loader,
    action: async () => (await import("../features/bids/data.ts")).action,
    Component: async () => (await import("./pages/task-details.tsx")).Component,
  },
};
