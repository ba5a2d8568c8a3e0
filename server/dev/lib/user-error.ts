/** An error whose message is all a person needs: the launcher prints it on one line, without a stack. */
export class UserError extends Error {
  override name = "UserError";
}

// Of the built server; matched by name, because its classes are other module instances than those of the sources.
const ERRORS_FOR_PEOPLE = new Set(["ConfigError", "ListenError"]);

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function pathOf(error: unknown): string {
  return error instanceof Error && "path" in error && error.path ? ` (${String(error.path)})` : "";
}

/** What to tell a person about an error: one clear line for the known ones, the stack for a bug of ours. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);

  if (error instanceof UserError || ERRORS_FOR_PEOPLE.has(error.name)) return error.message;
  if (error.name === "MongoServerSelectionError" || error.name === "MongoParseError") {
    return `The database of MONGODB_URI cannot be reached: ${error.message}`;
  }
  switch (codeOf(error)) {
    case "ENOSPC":
      return `The disk is full${pathOf(error)}: free some space, then run the command again.`;
    case "EDQUOT":
      return `Your disk quota is used up${pathOf(error)}: free some space, then run the command again.`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `Tasklane may not write here${pathOf(error)}: fix the permissions, or set DATA_DIR to a folder of yours.`;
    case "EMFILE":
      return "Too many open files: raise the limit (ulimit -n 4096), then run the command again.";
    default:
      return error.stack ?? error.message;
  }
}
