/** A browser window in a session of its own: the few things in which engines differ. Scripts are bodies of async functions. */
export interface Tab {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** Sets the window's size in CSS pixels. WebKitGTK's is never narrower than about 450. */
  resize(width: number, height: number): Promise<void>;
  /** Runs a script in the page. @returns what it returns. */
  run(script: string): Promise<unknown>;
  /** Clicks the element that a script returns, as a mouse does; false if it returns none. */
  click(script: string): Promise<boolean>;
  /** Types into the element with focus. */
  type(text: string): Promise<void>;
  pressEscape(): Promise<void>;
  /** A picture (PNG) of what the window shows. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

/** A running browser. */
export interface Engine {
  version: string;
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

export const WINDOW = { width: 1280, height: 900 };
