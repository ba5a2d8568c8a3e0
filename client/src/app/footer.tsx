import { Mail, MapPin, Phone } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { site } from "../lib/site.ts";
import { useNow } from "../ui/now.tsx";
import socialIcons from "./social-icons.svg";
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

/** The icon of a social network, drawn by us because Lucide has no brand icons. */
function SocialIcon({ name }: { name: string }) {
  return (
    <svg className="size-5" fill="currentColor" aria-hidden="true">
      <use href={`${socialIcons}#${name.toLowerCase()}`} />
    </svg>
  );
}
