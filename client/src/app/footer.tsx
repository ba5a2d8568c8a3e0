import { Mail, MapPin, Phone } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { site } from "../lib/site.ts";
import { Logo } from "./bar-controls.tsx";
import { SocialMark } from "./social-mark.tsx";

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
          <ul className="flex flex-wrap gap-2">
            {site.social.map(({ name, url }) => (
              <li key={name}>
                <a
                  href={url}
                  target="_blank"
                  rel="noreferrer"
                  className="btn btn-square btn-ghost"
                  aria-label={`${site.brand} on ${name}`}
                >
                  <SocialMark name={name} />
                </a>
              </li>
            ))}
          </ul>
        </aside>
        <nav aria-labelledby="quick-links" className="w-full grid-cols-2 sm:grid-cols-1">
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
              <MapPin aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
              <span>
                {address.map((part) => (
                  <span key={part} className="block">
                    {part}
                  </span>
                ))}
              </span>
            </span>
            <a href={`mailto:${email}`} className="link-hover link flex items-center gap-3 py-0.5">
              <Mail aria-hidden="true" className="size-5 shrink-0" />
              {email}
            </a>
            <a
              href={`tel:${phone.replaceAll(" ", "")}`}
              className="link-hover link flex items-center gap-3 py-0.5"
            >
              <Phone aria-hidden="true" className="size-5 shrink-0" />
              {phone}
            </a>
          </address>
        </section>
      </div>
      <p className="quiet border-t border-base-300 py-5 text-center text-sm">
        © {new Date().getFullYear()} {site.brand}. {site.tagline}
      </p>
    </footer>
  );
}

/** daisyUI's own is too pale to read. */
const TITLE = "footer-title normal-case opacity-100";
