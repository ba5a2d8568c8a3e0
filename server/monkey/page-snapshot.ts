/** A visible and usable control; see in-page.js. */
export type Control = {
  kind: "link" | "button" | "field" | "select" | "toggle";
  name: string;
  field: string;
  type: string;
  id: string;
  /** Whether its content must not be lost. */
  isWork: boolean;
  place: "frame" | "page" | "dialog" | "question";
  /** The index of its form in the document; -1 for none. */
  form: number;
  isSubmit: boolean;
  /** Closes the surrounding dialog. */
  closes: boolean;
  isReadOnly: boolean;
  options: string[];
};

/** The state of a page; see in-page.js. */
export type PageSnapshot = {
  address: string;
  /** Distinguishes documents. */
  loadedAt: number;
  title: string;
  heading: string;
  isReady: boolean;
  isBusy: boolean;
  isModal: boolean;
  controlsInMain: number;
  isShort: boolean;
  controlsInLayer: number;
  /** Controls without an accessible name. */
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

/** Who is signed in, as stored in the browser. */
export type SignedIn = { uid: string; email: string; token: string };
