/** What the fields of a page hold, and which of its forms were refused. */
type Fields = {
  address: string;
  /** By the id of the field. */
  work: Record<string, string>;
  /** The fields of forms that say what is wrong in them. */
  refused: readonly string[];
  /** All drafts of this browser, as they are stored. */
  drafts: string;
};

/**
 * What somebody has typed in a tab and neither sent nor discarded. It has to be in its field whenever that is on the
 * screen, and in a draft otherwise.
 */
export class Typed {
  readonly #byPage = new Map<string, Map<string, string>>();

  note(address: string, field: string, value: string): void {
    const page = pageOf(address);
    const fields = this.#byPage.get(page) ?? new Map<string, string>();
    this.#byPage.set(page, fields.set(field, value));
  }

  /** Has anything been typed on this page? */
  has(address: string): boolean {
    return (this.#byPage.get(pageOf(address))?.size ?? 0) > 0;
  }

  /** Forgets everything: it was another person's. */
  clear(): void {
    this.#byPage.clear();
  }

  /**
   * What is lost. Without `released` that is whatever is not there; a form that was `released`, sent or discarded, may
   * be empty or gone, unless it says that it was refused.
   */
  check({ address, work, refused, drafts }: Fields, { released = false } = {}): string[] {
    const fields = this.#byPage.get(pageOf(address)) ?? new Map<string, string>();
    const lost: string[] = [];
    for (const [field, value] of fields) {
      const now = work[field];
      if (released && !refused.includes(field)) fields.delete(field);
      else if (now === value) continue;
      else if (now !== undefined || !isInDraft(value, drafts))
        lost.push(`${field} held ${short(value)}, now ${now === undefined ? "it is gone" : short(now)}`);
    }
    return lost;
  }

  /** What was typed on a page that has been left and is in no draft. */
  checkLeft(address: string, drafts: string): string[] {
    const fields = this.#byPage.get(pageOf(address)) ?? new Map<string, string>();
    return [...fields]
      .filter(([, value]) => !isInDraft(value, drafts))
      .map(([field, value]) => `${field} held ${short(value)}, which no draft keeps`);
  }
}

// Stored as JSON in JSON or once; a text without letters or figures is no loss.
function isInDraft(value: string, drafts: string): boolean {
  return !/[\p{L}\p{N}]/u.test(value) || drafts.includes(JSON.stringify(value).slice(1, -1));
}

/** An address without what does not change its forms: filters, an open dialog. */
function pageOf(address: string): string {
  const { pathname, searchParams } = new URL(address, "http://page.invalid");
  const copy = searchParams.get("copy");
  return copy ? `${pathname}?copy=${copy}` : pathname;
}

function short(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
