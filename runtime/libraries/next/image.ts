// next/image for one document: a plain image with the same props. Nothing is resized, and only `data:` and `blob:` load.
import { createElement, type ImgHTMLAttributes, type ReactElement, type Ref } from "react";

interface ImageProps extends Omit<ImgHTMLAttributes<HTMLImageElement>, "src"> {
  src: string | { src: string; width?: number; height?: number };
  ref?: Ref<HTMLImageElement>;
  /** As large as what is around it. */
  fill?: boolean;
  priority?: boolean;
  blurDataURL?: string;
  loader?: unknown;
  onLoadingComplete?: (image: HTMLImageElement) => void;
  overrideSrc?: string;
  placeholder?: string;
  preload?: boolean;
  quality?: unknown;
  unoptimized?: boolean;
}

export default function Image({
  src,
  alt = "",
  fill = false,
  priority = false,
  preload = priority,
  blurDataURL: _blurDataURL,
  loader: _loader,
  onLoadingComplete,
  overrideSrc,
  placeholder: _placeholder,
  quality: _quality,
  unoptimized: _unoptimized,
  style,
  onLoad,
  ...rest
}: ImageProps): ReactElement {
  const { src: address, ...size } = typeof src === "string" ? { src } : src;
  const filling = { position: "absolute", inset: 0, width: "100%", height: "100%" } as const;
  return createElement("img", {
    loading: preload ? "eager" : "lazy",
    ...(!fill && size),
    ...rest,
    alt,
    src: overrideSrc ?? address,
    style: fill ? { ...filling, ...style } : style,
    onLoad: (event) => {
      onLoad?.(event);
      onLoadingComplete?.(event.currentTarget);
    },
  });
}
