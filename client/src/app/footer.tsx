import { Mail, MapPin, Phone } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { site } from "../lib/site.ts";
import { useNow } from "../ui/use-now.ts";
import { Logo } from "./top-bar.tsx";

const LINKS = [
  { to: paths.home, text: "Home" },
  { to: paths.browse, text: "Browse Tasks" },
  { to: paths.dashboard, text: "Dashboard" },
  { to: paths.about, text: "About us" },
  { to: paths.contact, text: "Contact" },
  { to: paths.terms, text: "Terms & Conditions" },
  { to: paths.privacy, text: "Privacy Policy" },
];

/** Texts and links come from lib/site.ts. */
export function Footer() {
  const { address, email, phone } = site.contact;
  return (
    <footer className="border-t border-base-300 bg-base-100">
      <div className="footer page py-10 text-base sm:py-12 wrap-anywhere sm:grid-cols-2 lg:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1.2fr)]">
        <aside className="gap-4 sm:col-span-2 lg:col-span-1">
          <Logo />
          <p className="quiet max-w-sm">{site.description}</p>
          <ul className="-mx-3 flex flex-wrap gap-2">
            {site.social.map(({ name, url }) => (
              <li key={name}>
                <a
                  href={url}
                  target="_blank"
                  rel="noreferrer"
                  className="btn btn-square btn-ghost"
                  aria-label={`${site.brand} on ${name}`}
                >
                  <SocialIcon name={name} />
                </a>
              </li>
            ))}
          </ul>
        </aside>
        <nav aria-labelledby="quick-links" className="fit-columns w-full sm:grid-cols-1">
          <h2 id="quick-links" className={`col-span-full ${TITLE}`}>
            Quick links
          </h2>
          {LINKS.map(({ to, text }) => (
            <Link key={to} to={to} className="link-hover link quiet py-0.5">
              {text}
            </Link>
          ))}
        </nav>
        <section aria-labelledby="reach-us">
          <h2 id="reach-us" className={TITLE}>
            Reach us
          </h2>
          <address className="quiet grid grid-cols-1 gap-3 not-italic">
            <span className="flex gap-3">
              <MapPin className="mt-0.5 size-5 shrink-0" />
              <span>
                {address.map((part) => (
                  <span key={part} className="block">
                    {part}
                  </span>
                ))}
              </span>
            </span>
            <a href={`mailto:${email}`} className="link-hover link flex items-center gap-3 py-0.5">
              <Mail className="size-5 shrink-0" />
              {email}
            </a>
            <a
              href={`tel:${phone.replaceAll(" ", "")}`}
              className="link-hover link flex items-center gap-3 py-0.5"
            >
              <Phone className="size-5 shrink-0" />
              {phone}
            </a>
          </address>
        </section>
      </div>
      <p className="quiet border-t border-base-300 px-4 py-5 text-center text-sm">
        © {useNow().getUTCFullYear()} {site.brand}. <span className="inline-block">{site.tagline}</span>
      </p>
    </footer>
  );
}

/** Full opacity, because daisyUI's default is too pale to read. */
const TITLE = "footer-title normal-case opacity-100";

/** SVG paths in a 24 × 24 view box. */
const ICON_PATHS: Readonly<Record<string, string>> = {
  facebook: "M14 8h2.5V4.5H14c-2.2 0-4 1.8-4 4V11H7.5v3.5H10V20h3.5v-5.5H16l.6-3.5h-3.1V8.8c0-.5.2-.8.5-.8Z",
  x: "M5 4.5h3.6l4 5.4 4.7-5.4h2l-5.8 6.6 6.3 8.4h-3.6l-4.4-5.9-5.1 5.9h-2l6.2-7.1L5 4.5Zm2.6 1.4 8.9 12.2h1.2L8.9 5.9H7.6Z",
  instagram:
    "M8 4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4Zm0 1.8A2.2 2.2 0 0 0 5.8 8v8A2.2 2.2 0 0 0 8 18.2h8a2.2 2.2 0 0 0 2.2-2.2V8A2.2 2.2 0 0 0 16 5.8H8Zm4 2.4a3.8 3.8 0 1 1 0 7.6 3.8 3.8 0 0 1 0-7.6Zm0 1.8a2 2 0 1 0 0 4 2 2 0 0 0 0-4Zm4.2-3a1 1 0 1 1 0 2 1 1 0 0 1 0-2Z",
  linkedin:
    "M6.2 4.5a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4ZM4.8 9.5h2.9v10H4.8v-10Zm4.9 0h2.8v1.4c.5-.9 1.5-1.7 3.1-1.7 3.2 0 3.8 2.1 3.8 4.8v5.5h-2.9v-4.9c0-1.2 0-2.7-1.6-2.7s-1.9 1.3-1.9 2.6v5H9.7v-10Z",
};

/** The icon of a social network, drawn by us because Lucide has no brand icons. */
function SocialIcon({ name }: { name: string }) {
  return (
    <svg viewBox="0 0 24 24" className="size-5" fill="currentColor" aria-hidden="true">
      <path fillRule="evenodd" d={ICON_PATHS[name.toLowerCase()]} />
    </svg>
  );
}
