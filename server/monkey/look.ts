/** A control that can be seen and used; see in-page.js. */
export type Control = {
  kind: "link" | "button" | "field" | "select" | "toggle";
  name: string;
  field: string;
  type: string;
  id: string;
  /** Is its content work that must not be lost? */
  isWork: boolean;
  place: "frame" | "page" | "dialog" | "question";
  /** Which of the document's forms it belongs to; -1 for none. */
  form: number;
  isSubmit: boolean;
  /** Closes the dialog around. */
  closes: boolean;
  isReadOnly: boolean;
  options: string[];
};

/** What a page shows; see in-page.js. */
export type Look = {
  address: string;
  /** Tells one document from the next. */
  loadedAt: number;
  title: string;
  heading: string;
  isReady: boolean;
  isBusy: boolean;
  isModal: boolean;
  ways: number;
  isShort: boolean;
  waysInLayer: number;
  /** Controls that nothing names. */
  nameless: string[];
  overflow: string[];
  focus: string;
  bell: string;
  account: string;
  work: Record<string, string>;
  refused: string[];
  rows: number;
  drafts: string;
  hasWorker: boolean;
};

/** Who is signed in, as the browser keeps it. */
export type SignedIn = { uid: string; email: string; token: string };
