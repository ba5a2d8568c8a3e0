/** The field values of a page, and which of its forms were refused. */
type Fields = {
  address: string;
  /** Values by field id. */
  work: Record<string, string>;
  /** Ids of the fields of forms that show a validation error. */
  refused: readonly string[];
  /** All stored drafts of this browser. */
  drafts: string;
};

/**
 * The texts that were typed in a tab and neither sent nor discarded. Each must be in its field while that is visible, and in
 * a draft otherwise.
 */
export class TypedTexts {
  readonly #byPage = new Map<string, Map<string, string>>();

  note(address: string, field: string, value: string): void {
    const page = pageOf(address);
    const fields = this.#byPage.get(page) ?? new Map<string, string>();
    this.#byPage.set(page, fields.set(field, value));
  }

  /** Whether anything was typed on this page. */
  has(address: string): boolean {
    return (this.#byPage.get(pageOf(address))?.size ?? 0) > 0;
  }

  /** Forgets everything, when another person signs in. */
  clear(): void {
    this.#byPage.clear();
  }

  /**
   * Returns the lost texts. With `mayDropTyped`, after a form was sent or discarded, its fields may be empty or gone unless
   * the form was refused.
   */
  check({ address, work, refused, drafts }: Fields, { mayDropTyped = false } = {}): string[] {
    const fields = this.#byPage.get(pageOf(address)) ?? new Map<string, string>();
    const lost: string[] = [];
    for (const [field, value] of fields) {
      const now = work[field];
      if (mayDropTyped && !refused.includes(field)) fields.delete(field);
      else if (now === value) continue;
      else if (now !== undefined || !isInDraft(value, drafts))
        lost.push(`${field} held ${short(value)}, now ${now === undefined ? "it is gone" : short(now)}`);
    }
    return lost;
  }

  /** Returns the texts of a page that was left which are in no draft. */
  notInDrafts(address: string, drafts: string): string[] {
    const fields = this.#byPage.get(pageOf(address)) ?? new Map<string, string>();
    return [...fields]
      .filter(([, value]) => !isInDraft(value, drafts))
      .map(([field, value]) => `${field} held ${short(value)}, which no draft keeps`);
  }
}

// Drafts are JSON, so the text is escaped. A text without letters or digits does not count as lost.
function isInDraft(value: string, drafts: string): boolean {
  return !/[\p{L}\p{N}]/u.test(value) || drafts.includes(JSON.stringify(value).slice(1, -1));
}

/** The address without parameters that do not change its forms, such as filters or an open dialog. */
function pageOf(address: string): string {
  const { pathname, searchParams } = new URL(address, "http://page.invalid");
  const copy = searchParams.get("copy");
  return copy ? `${pathname}?copy=${copy}` : pathname;
}

function short(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
