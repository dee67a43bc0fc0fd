// The texts of the QR code in the Share popover.
import { messages } from "./messages.ts";

export const qrCodeTexts = messages({
  en: {
    qrCode: "QR code",
    qrCodeAlt: "QR code of the link",
    downloadQrCode: "Download the QR code",
  },
  de: {
    qrCode: "QR-Code",
    qrCodeAlt: "QR-Code des Links",
    downloadQrCode: "QR-Code herunterladen",
  },
});
