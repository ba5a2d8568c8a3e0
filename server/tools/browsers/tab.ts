/** A browser window in its own session; hides the differences between engines. Scripts are bodies of async functions. */
export interface Tab {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** Sets the window's size in CSS pixels. WebKitGTK's is never narrower than 447. */
  resize(width: number, height: number): Promise<void>;
  /** Runs a script in the page. @returns its result. */
  run(script: string): Promise<unknown>;
  /** Clicks the element that a script returns like a mouse would; false if it returns none. */
  click(script: string): Promise<boolean>;
  /** Types into the element with focus. */
  type(text: string): Promise<void>;
  pressEscape(): Promise<void>;
  /** A screenshot of the window (PNG). */
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
