// html2pdf.js from its sources: its built file would bring a second jspdf.
import html2pdf from "html2pdf.js/src/index.js";

export default html2pdf;
