import Aos from "aos";
import "./reveal-engine.css";

/** SPEC section 9: 1000 ms, repeating on scroll. */
const OPTIONS: Aos.AosOptions = {
  duration: 1000,
  once: false,
  easing: "ease-out-cubic",
  offset: 80,
  disableMutationObserver: true,
};

let started = false;

/**
 * Lets everything marked `data-reveal` below the fold fade in as it is scrolled to. What is on screen already stays as
 * it is: hiding it now, to show it again, would be a flash. Answers how to stop following the page's height.
 */
export function startReveal(root: HTMLElement): () => void {
  for (const element of root.querySelectorAll("[data-reveal]")) {
    if (element.getBoundingClientRect().top > window.innerHeight) element.setAttribute("data-aos", "fade-up");
  }
  if (started) Aos.refreshHard();
  else Aos.init(OPTIONS);
  started = true;
  return onHeightChange(root, () => Aos.refresh());
}

/** AOS knows where things are only from measuring once; tasks that arrive late move all that is below them. */
function onHeightChange(root: HTMLElement, changed: () => void): () => void {
  let known = root.offsetHeight;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (root.offsetHeight === known) return;
      known = root.offsetHeight;
      changed();
    }, 250);
  });
  observer.observe(root);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}
