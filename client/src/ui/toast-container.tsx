import { ToastContainer, toast } from "react-toastify/unstyled";
import { keepFocusWithin } from "./focus-keeper.ts";
import "react-toastify/ReactToastify.css";
import "./toast-container.css";

export { toast };

/** 5000 ms by default (`notify` sets the position), paused on hover and on focus loss. Restores focus when a focused toast closes. */
export function Toasts() {
  return (
    <div ref={keepFocusWithin}>
      <ToastContainer position="top-right" autoClose={5000} pauseOnHover pauseOnFocusLoss newestOnTop />
    </div>
  );
}
