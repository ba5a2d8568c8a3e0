import { type Request, type RequestHandler, type Response, Router } from "express";
import type { PersonStore } from "./person-store.ts";

const PATH = "/me/unsubscribe";

/**
 * The link that ends e-mails. It needs no login, only its secret key; and only a POST ends them: mail programs send one
 * by themselves when asked to (RFC 8058), people press the button of the page, and what merely opens every link in a
 * mail, as virus scanners do, changes nothing.
 */
export function unsubscribeRoutes(store: PersonStore): RequestHandler {
  const router = Router();
  router.get(PATH, (_request, response) => {
    sendPage(
      response,
      "Stop e-mails from Tasklane?",
      '<form method="post"><button>Stop e-mails</button></form>',
    );
  });
  router.post(PATH, async (request, response) => {
    const { person, key } = namedIn(request);
    if (await store.unsubscribe(person, key))
      sendPage(response, "You will get no more e-mails from Tasklane.", TURN_ON_AGAIN);
    else sendPage(response.status(404), "This link is not valid any more.", TURN_ON_AGAIN);
  });
  return router;
}

/** The address of that page for one person, below the API's origin. */
export function unsubscribePath(person: string, key: string): string {
  return `${PATH}?${new URLSearchParams({ person, key })}`;
}

// Whatever is not one plain text is nobody's key.
function namedIn({ query }: Request): { person: string; key: string } {
  const { person, key } = query;
  return { person: typeof person === "string" ? person : "", key: typeof key === "string" ? key : "" };
}

const TURN_ON_AGAIN = "<p>You can turn them on and off in your settings.</p>";

function sendPage(response: Response, title: string, content: string): void {
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Referrer-Policy", "no-referrer");
  response
    .type("html")
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${title}</title></head>` +
        `<body><main><h1>${title}</h1>${content}</main></body></html>`,
    );
}
