/** Where the parts of the dashboard's pages lie. Each page's code and data load side by side, when it is visited. */
export const dashPages = {
  dashboard: {
    loader: async () => (await import("../features/tasks/overview/overview-data.ts")).loader,
    Component: async () => (await import("../features/tasks/overview/overview-page.tsx")).Component,
  },
  browse: {
    loader: async () => (await import("../features/tasks/browse/browse-data.ts")).loader,
    Component: async () => (await import("../features/tasks/browse/dash-browse-page.tsx")).Component,
  },
  post: {
    action: async () => (await import("../features/tasks/post/post-task-page.tsx")).action,
    Component: async () => (await import("../features/tasks/post/post-task-page.tsx")).Component,
  },
  mine: {
    loader: async () => (await import("../features/tasks/mine/my-tasks-data.ts")).loader,
    action: async () => (await import("../features/tasks/mine/my-tasks-data.ts")).action,
    Component: async () => (await import("./pages/my-tasks.tsx")).Component,
  },
  inbox: {
    loader: async () => (await import("../features/bids/received/received-bids-data.ts")).loader,
    action: async () => (await import("../features/bids/received/received-bids-data.ts")).action,
    Component: async () => (await import("./pages/inbox-data.tsx")).Component,
  },
  myBids: {
    loader: async () => (await import("../features/bids/mine/my-bids-data.ts")).loader,
    Component: async () => (await import("./pages/my-bids.tsx")).Component,
  },
  notifications: {
    Component: async () => (await import("../features/notifications/notifications-page.tsx")).Component,
  },
  settings: {
    loader: async () => (await import("../features/settings/settings-data.ts")).loader,
    action: async () => (await import("../features/settings/settings-data.ts")).action,
    Component: async () => (await import("../features/settings/settings-page.tsx")).Component,
  },
  reports: {
    loader: async () => (await import("../features/reports/operators/reports-data.ts")).loader,
    action: async () => (await import("../features/reports/operators/reports-data.ts")).action,
    Component: async () => (await import("../features/reports/operators/reports-page.tsx")).Component,
  },
  update: {
    loader: async () => (await import("../features/tasks/update/update-task-data.ts")).loader,
    action: async () => (await import("../features/tasks/update/update-task-data.ts")).action,
    Component: async () => (await import("../features/tasks/update/update-task-page.tsx")).Component,
  },
  details: {
    loader: async () => (await import("../features/tasks/detail/task-detail-data.ts")).loader,
    action: async () => (await import("../features/bids/bid-action.ts")).action,
    Component: async () => (await import("./pages/task-details.tsx")).Component,
  },
};
