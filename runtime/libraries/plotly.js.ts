// The strict build of plotly, which makes no code from text. It is one object; its names are exported as well, as documents
// import them by `import * as Plotly`.
import Plotly from "plotly.js";

export const {
  addFrames,
  addTraces,
  animate,
  deleteFrames,
  deleteTraces,
  downloadImage,
  extendTraces,
  Fx,
  Icons,
  makeTemplate,
  moveTraces,
  newPlot,
  Plots,
  PlotSchema,
  prependTraces,
  purge,
  Queue,
  react,
  redraw,
  register,
  relayout,
  restyle,
  setPlotConfig,
  Snapshot,
  toImage,
  update,
  validate,
  validateTemplate,
  version,
} = Plotly;
export default Plotly;
