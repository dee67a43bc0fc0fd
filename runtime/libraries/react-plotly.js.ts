// The component of react-plotly.js over the plotly of the runtime: the package itself would bring another build.
import createPlotlyComponent from "react-plotly.js/factory";
import Plotly from "./plotly.js.ts";

export default createPlotlyComponent(Plotly);
