/** An error for the user: the launcher prints its message without a stack. */
export class UserError extends Error {
  override name = "UserError";
}

// By name, because the built server has its own copies of these classes.
const USER_ERROR_NAMES = new Set(["ConfigError", "ListenError"]);

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function pathOf(error: unknown): string {
  return error instanceof Error && "path" in error && error.path ? ` (${String(error.path)})` : "";
}

/** Describes an error for the user: one clear line if it is known, otherwise the stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);

  if (error instanceof UserError || USER_ERROR_NAMES.has(error.name)) return error.message;
  if (error.name === "MongoServerSelectionError" || error.name === "MongoParseError") {
    return `The database cannot be reached: ${error.message} (if MONGODB_URI is set, check it).`;
  }
  switch (codeOf(error)) {
    case "ENOSPC":
      return `The disk is full${pathOf(error)}: free some space, then run the command again.`;
    case "EDQUOT":
      return `Your disk quota is used up${pathOf(error)}: free some space, then run the command again.`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `Tasklane may not write here${pathOf(error)}: fix the permissions, or set DATA_DIR, for downloads XDG_CACHE_HOME, to a folder of yours.`;
    case "EMFILE":
      return "Too many open files: raise the limit (ulimit -n 4096), then run the command again.";
    default:
      return error.stack ?? error.message;
  }
}
