CREATE FUNCTION "artifact_address_key"("project" uuid, "slug" text) RETURNS bigint
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000000 AS $$
BEGIN
  RETURN hashtextextended(project::text || '/' || slug, 0);
END
$$;--> statement-breakpoint
CREATE INDEX "artifact_address" ON "artifact" USING btree (artifact_address_key("project_id", "slug")) WHERE "artifact"."deleted_at" IS NULL;
