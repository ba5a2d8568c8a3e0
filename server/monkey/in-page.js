// @ts-nocheck The server's TypeScript configuration has no DOM types.
// biome-ignore-all lint/performance/useDomNodeTextContent: innerText is what a person can read.
/*
 * Describes the page to the monkey. It is JavaScript because it is injected into every document unchanged, before the page's
 * own scripts run.
 */
(() => {
  const CONTROLS = "a[href], button, summary, input, select, textarea";
  const UNUSABLE = ":disabled, [type=hidden], [type=file], [download], [target=_blank]";
  /** Text fields whose content must not be lost: neither filters nor login forms. */
  const WORK = "form:not([role=search]) :is(input, textarea)[name][id]";
  const NO_WORK =
    "[type=hidden], [type=password], [autocomplete=new-password], [type=checkbox], [type=radio], [type=search], [readonly], [id^=filter-]";
  const IDENTITY = 'form:has([autocomplete="current-password"])';
  const RESET = "/auth/forgot-password";

  /** A page with more characters than this is a text to read, so it needs no controls. */
  const SHORT = 1_000;

  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const hidden = element.closest("[inert], [aria-hidden=true], .swiper-slide:not(.swiper-slide-active)");
    return (
      !hidden &&
      width > 1 &&
      height > 1 &&
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    );
  };

  /** The layer that receives all input: a confirmation, the last dialog, or the page. */
  const layer = () =>
    document.querySelector(".swal2-popup.swal2-modal:not(.swal2-hide)") ??
    [...document.querySelectorAll("dialog[open]")].at(-1) ??
    document.body;

  /** The element to click for a control: itself, or the label of a hidden radio button or checkbox. */
  const handleOf = (control) => {
    if (isShown(control)) return control;
    const label = control.matches("[type=radio], [type=checkbox]") ? control.labels?.[0] : undefined;
    return label && isShown(label) ? label : undefined;
  };

  const isElsewhere = ({ href, protocol, origin }) =>
    href && (!protocol?.startsWith("http") || origin !== location.origin);

  const kindOf = (control) => {
    if (control.matches("a")) return "link";
    if (control.matches("select")) return "select";
    if (control.matches("[type=radio], [type=checkbox]")) return "toggle";
    return control.matches("input, textarea") ? "field" : "button";
  };

  const nameOf = (control) => {
    const texts = [
      control.getAttribute("aria-label"),
      control.labels?.[0]?.textContent,
      control.innerText,
      control.textContent,
      control.querySelector("img[alt]")?.alt,
    ];
    const text = texts.find((one) => one?.trim()) ?? "";
    return text.replace(/\s+/g, " ").trim().slice(0, 40);
  };

  const isWork = (field) =>
    field.matches(WORK) && !field.matches(NO_WORK) && !field.closest(IDENTITY) && location.pathname !== RESET;

  const placeOf = (control) => {
    if (control.closest(".swal2-popup")) return "question";
    if (control.closest("dialog")) return "dialog";
    return control.closest("header, footer, nav") ? "frame" : "page";
  };

  /** Whether a control, such as a skip link, is hidden above the screen until it has the focus. */
  const isAbove = (control) =>
    getComputedStyle(control).position === "fixed" && control.getBoundingClientRect().bottom <= 0;

  const isUsable = (control) =>
    !control.matches(UNUSABLE) &&
    !isAbove(control) &&
    !isElsewhere(control) &&
    handleOf(control) !== undefined;

  const factsOf = (control) => {
    const forms = [...document.forms];
    return {
      kind: kindOf(control),
      name: nameOf(control),
      // The name of the field in its form, such as "budget".
      field: control.name ?? "",
      type: control.type ?? "",
      id: control.id,
      isWork: isWork(control),
      place: placeOf(control),
      form: forms.indexOf(control.form),
      isSubmit: control.type === "submit" && Boolean(control.form) && control.form.method !== "dialog",
      closes: control.form?.method === "dialog",
      isReadOnly: control.readOnly === true,
      options: control.matches("select")
        ? [...control.options].filter((one) => !one.disabled).map((one) => one.value)
        : [],
    };
  };

  const work = () => [...document.querySelectorAll(WORK)].filter((field) => isWork(field) && isShown(field));

  const isLost = () => !document.activeElement || document.activeElement.matches("body, html");

  /** The elements that overflow the right edge of the screen, innermost last. */
  const overflowing = () => {
    const out = [...document.body.querySelectorAll("*")].filter(
      (one) => isShown(one) && one.getBoundingClientRect().right > document.documentElement.clientWidth + 1,
    );
    return out.slice(-3).map((one) => `${one.tagName} ${one.className}`.slice(0, 120));
  };

  window.monkey = {
    /** The clickable elements of the last `controls()`. */
    found: [],

    controls() {
      const usable = [...layer().querySelectorAll(CONTROLS)].filter(isUsable);
      this.found = usable.map(handleOf);
      return usable.map(factsOf);
    },

    /** The focused control, or null. */
    focused() {
      const control = document.activeElement?.closest(CONTROLS);
      return control && isUsable(control) ? factsOf(control) : null;
    },

    snapshot() {
      const top = layer();
      const headings = [...document.querySelectorAll("h1")].filter((one) => one.checkVisibility());
      const { scrollWidth, clientWidth } = document.documentElement;
      const boxes = [...document.querySelectorAll("dialog[open] .modal-box, .swal2-popup")];
      const wide = boxes.some((box) => isShown(box) && box.scrollWidth > box.clientWidth + 1);
      const main = document.querySelector("main");
      return {
        address: location.pathname + location.search,
        loadedAt: performance.timeOrigin,
        title: document.title,
        heading: headings.map(({ innerText }) => innerText).join(" / "),
        // A document without the app needs only to be loaded.
        isReady:
          document.readyState === "complete" &&
          (!document.getElementById("root") || !document.querySelector("[data-early-theme]")),
        isBusy: [...document.querySelectorAll(".loading, [aria-busy=true]")].some((one) =>
          one.checkVisibility({ visibilityProperty: true }),
        ),
        isModal: top !== document.body,
        /** The number of controls in the main part of the page, and whether it has little text. */
        controlsInMain: main
          ? [...main.querySelectorAll(CONTROLS)].filter((one) => isShown(one) && !one.matches(":disabled"))
              .length
          : 0,
        isShort: (main?.innerText ?? "").length < SHORT,
        controlsInLayer: [...top.querySelectorAll(CONTROLS)].filter(isUsable).length,
        nameless: [...top.querySelectorAll(CONTROLS)]
          .filter((control) => isUsable(control) && nameOf(control) === "")
          .map((control) => control.outerHTML.slice(0, 160)),
        overflow:
          scrollWidth > clientWidth || wide ? overflowing().concat(`${scrollWidth - clientWidth} px`) : [],
        focus: isLost() ? "" : `${document.activeElement.tagName} ${nameOf(document.activeElement)}`,
        bell:
          document.querySelector('header button[aria-label^="Notifications"]')?.getAttribute("aria-label") ??
          "",
        account:
          document.querySelector('header button[aria-label*="account menu"]')?.getAttribute("aria-label") ??
          "",
        work: Object.fromEntries(work().map((field) => [field.id, field.value])),
        refused: work()
          .filter(({ form }) => form.querySelector("[aria-invalid=true]"))
          .map(({ id }) => id),
        rows: [...document.querySelectorAll("main tbody > tr")].filter(isShown).length,
        drafts: [localStorage, sessionStorage]
          .flatMap((storage) => Object.entries({ ...storage }))
          .filter(([key]) => /^tasklane\.(tab-)?draft\./.test(key))
          .map(([, draft]) => draft)
          .join("\n"),
        hasWorker: Boolean(navigator.serviceWorker?.controller),
      };
    },

    /** The text of the main part of the page. */
    text: () => (document.querySelector("main")?.innerText ?? "").replace(/\s+/g, " "),

    /** Who is signed in according to the Firebase SDK's storage; null if nobody is. */
    async session() {
      const name = "firebaseLocalStorageDb";
      // Opening it before the SDK has created it would create an empty one.
      const known = await indexedDB.databases();
      if (!known.some((one) => one.name === name)) return null;
      const stored = await new Promise((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const database = opening.result;
          const reading = database
            .transaction("firebaseLocalStorage")
            .objectStore("firebaseLocalStorage")
            .getAll();
          reading.onsuccess = () => resolve(reading.result);
          reading.onerror = () => reject(reading.error);
          database.close();
        };
      });
      const user = stored.find(({ fbase_key }) => fbase_key.startsWith("firebase:authUser"))?.value;
      return user ? { uid: user.uid, email: user.email, token: user.stsTokenManager.accessToken } : null;
    },
  };
})();
