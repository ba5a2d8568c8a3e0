const SHOW_PROGRESS_AFTER_MS = 1200;

export interface Step {
  /** Shows what the step is doing. */
  progress(text: string): void;
  /** Sets what the finished step shows beside its name. */
  detail(text: string): void;
}

/** Runs a step and prints a line when it is done, and one before that if it takes a while. */
export async function step<T>(name: string, work: (step: Step) => Promise<T>): Promise<T> {
  const started = Date.now();
  let detail = "ready";
  let shown = "";
  const show = (text: string) => {
    if (text !== shown) line("·", name, text);
    shown = text;
  };
  const timer = setTimeout(() => show(shown || "working"), SHOW_PROGRESS_AFTER_MS);
  try {
    const result = await work({
      progress: show,
      detail: (text) => {
        detail = text;
      },
    });
    line("✓", name, detail, Date.now() - started);
    return result;
  } catch (error) {
    line("✗", name, "failed", Date.now() - started);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function line(mark: string, name: string, text: string, milliseconds?: number): void {
  const time = milliseconds === undefined ? "" : `${(milliseconds / 1000).toFixed(1).padStart(6)} s`;
  const row = `  ${mark} ${name.padEnd(15)}${time ? text.padEnd(42) : text}${time}`;
  process.stdout.write(`${row.trimEnd()}\n`);
}
