let page = "";
let unread = 0;

/** Sets the document's title. */
export function setPageTitle(title: string): void {
  page = title;
  show();
}

/** Puts the number of unread conversations before the title of whatever page is shown, as in `(2) Home`. */
export function setUnreadInTitle(count: number): void {
  unread = count;
  show();
}

function show(): void {
  if (page) document.title = unread > 0 ? `(${unread}) ${page}` : page;
}
